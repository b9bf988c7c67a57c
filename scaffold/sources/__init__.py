"""Import specs from other sources, such as a tool list, a server or an OpenAPI document."""
