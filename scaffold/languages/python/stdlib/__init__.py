"""Python code generation for servers without dependencies: limits, patterns and dataclasses."""
