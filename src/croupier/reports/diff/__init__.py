"""Two editions or two submissions compared: rules, tables, house edges."""
