# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Whose access tokens the server accepts over HTTP, and what its tools need."""

from .runtime.oauth import OAuth

OAUTH = OAuth(
    issuer="https://login.example.com",
    resource="PUBLIC_URL",
    scopes=["expenses:read"],
    tools={
        "add_expense": ["expenses:write"],
        "attach_receipt": ["expenses:write"],
        "approve_expense": ["expenses:approve"],
        "convert_expenses": ["expenses:write"],
    },
)
