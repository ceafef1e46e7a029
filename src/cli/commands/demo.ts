/**
 * `colophon demo`: a server with sample content.
 */
import { runDemo } from '../demo/run-demo.ts';

/** Runs `colophon demo`. */
export async function demo(): Promise<void> {
  await runDemo(process.env);
}
