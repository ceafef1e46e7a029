/**
 * `colophon demo`: a server with sample content.
 */
import { runDemo } from '../demo/run-demo.ts';

export async function demo(): Promise<void> {
  await runDemo(process.env);
}
