/**
 * Sends one file of the built pages: compressed if the browser accepts it, and cached for as long as its name allows.
 */
import { extname } from 'node:path';
import type { Request, Response } from 'express';
import { chooseCoding } from '../response/content-coding.ts';
import type { PageFile } from './page-files.ts';

/** Sends a file with its content type. */
export async function sendPageFile(
  request: Request,
  response: Response,
  { name, file }: { name: string; file: PageFile },
): Promise<void> {
  const coding = chooseCoding(request.headers['accept-encoding']?.toString());
  const compressed = coding && (await file.compress(coding));
  const body = compressed ?? file.bytes;
  response.type(extname(name)).set({
    'Cache-Control': isAsset(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
    'Content-Length': String(body.length),
    Vary: 'Accept-Encoding',
    ...(coding && compressed ? { 'Content-Encoding': coding } : {}),
  });
  response.end(body);
}

/** Tells whether a name contains a hash of the content, so that the file never changes. */
export const isAsset = (name: string) => name.startsWith('assets/');
