"""The least that a server can do: it answers each request without looking at what it asks for."""

import sys

ANSWER = b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"hello"}]}}\n'

for line in sys.stdin.buffer:
    if b'"id"' in line:
        sys.stdout.buffer.write(ANSWER)
        sys.stdout.buffer.flush()
