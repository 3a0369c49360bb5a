"""Tables over the network: HTTP, WebSocket, sign-in, clocks and the gaming day."""
