"""The audit of whole databases, from the database and the rule files alone; nothing is written."""
