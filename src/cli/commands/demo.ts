/**
 * `colophon demo`: a server with sample content.
 */
import { runDemo } from '../demo/run-demo.ts';
import { loadSampleNews } from '../demo/sample-news.ts';

/** Runs `colophon demo`. */
export async function demo(): Promise<void> {
  await runDemo(process.env, async ({ content, restEndpoints }, { port, dataDir }) => {
    const { articles, authors } = await loadSampleNews({ content, restEndpoints });
    const api = `http://127.0.0.1:${port}/api/news`;
    return [
      `The demo has ${articles} articles by ${authors} authors, in ${dataDir}. Try it:`,
      `  curl '${api}/latest?limit=2'`,
      `  curl ${api}/aldmoor-gets-a-night-bus`,
      `The admin UI is at http://127.0.0.1:${port}/admin: sign in as demo@localhost with demo-demo-demo.`,
    ].join('\n');
  });
}
