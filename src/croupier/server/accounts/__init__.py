"""People, sessions, passwords and invitations."""
