// A page that calls the server at `url` with the official client, and tells its own site what came of it.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

async function called(url, token, mode) {
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit });
  const client = new Client({ name: "page", version: "1" }, { versionNegotiation: { mode } });
  try {
    await client.connect(transport);
    const { tools } = await client.listTools();
    // In a browser, the client leaves this header to its caller.
    const headers = { "Mcp-Param-Name": "Ada" };
    const call = { name: "greet", arguments: { name: "Ada" } };
    const { content } = await client.callTool(call, { headers });
    const hasSession = transport.sessionId !== undefined;
    await transport.terminateSession();
    await client.close();
    return [tools[0].name, content[0].text, hasSession];
  } catch (error) {
    return String(error);
  }
}

const { url, token } = Object.fromEntries(new URLSearchParams(location.search));
const modern = { pin: "2026-07-28" };
const refused = await fetch(url, { method: "POST" }).catch(String);
const body = JSON.stringify({
  legacy: await called(url, token, "legacy"),
  modern: await called(url, token, modern),
  challenge: refused.headers?.get("WWW-Authenticate") ?? refused,
});
await fetch("/told", { method: "POST", body });
