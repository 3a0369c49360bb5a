"""The table model: commands, events, state, setup and roles."""
