"""Real tables over the network: people, sessions, HTTP and WebSocket."""
