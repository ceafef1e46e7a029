/** Asks the server of this container for the status of a path, `healthz` or `readyz`, and exits with 0 if it is 200, and with 1 otherwise. */
const [, , path] = process.argv;
// Kubernetes sets this variable to an address for a service named `colophon`; the server ignores that, too.
const port = /^\d+$/.test(process.env.COLOPHON_PORT ?? '') ? process.env.COLOPHON_PORT : 4000;
try {
  const { ok } = await fetch(`http://127.0.0.1:${port}/${path}`);
  process.exitCode = ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
