/**
 * Uploads files one after the other: how far it is, what went wrong, and how to cancel.
 */
import { useEffect, useRef, useState } from 'react';
import { type UploadedFile, uploadFile } from '../../api.ts';
import { describeBytes } from './file-address.ts';

/** The state of uploads. */
export interface UploadState {
  /** The file that is being sent; absent when none is. */
  readonly sending?: { readonly name: string; readonly percent: number } | undefined;
  /** The files that were not uploaded since the user began last. */
  readonly failures: readonly { readonly name: string; readonly message: string }[];
}

/** Which files to accept; see `Constraint`. */
export interface FileLimits {
  readonly accept?: readonly string[] | undefined;
  readonly maxBytes?: number | undefined;
}

/** What happens with the files that are uploaded. The functions of the last render are called. */
export interface UploadEvents {
  readonly onStart?: (file: File) => void;
  readonly onUploaded: (file: UploadedFile) => void;
  /** Called when a file that was begun is not uploaded. */
  readonly onEnd?: () => void;
}

const idle: UploadState = { failures: [] };

/** Uploads files; leaving the page cancels. */
export function useUpload(events: UploadEvents, limits: FileLimits = {}) {
  const [state, setState] = useState(idle);
  const latest = useRef(events);
  useEffect(() => {
    latest.current = events;
  });
  /** The files that are not sent yet, and what cancels the one that is being sent. */
  const work = useRef<{ waiting: File[]; running?: AbortController | undefined }>({ waiting: [] });
  useEffect(() => () => cancelAll(work.current), []);

  const fail = ({ name }: File, message: string) =>
    setState(({ failures }) => ({ failures: [...failures, { name, message }] }));

  async function send(file: File, signal: AbortSignal): Promise<void> {
    const show = (percent: number) =>
      setState((before) => ({ ...before, sending: { name: file.name, percent } }));
    show(0);
    latest.current.onStart?.(file);
    try {
      const onProgress = ({ sent, total }: { sent: number; total: number }) =>
        show(Math.floor((sent / Math.max(1, total)) * 100));
      const uploaded = await uploadFile(file, { onProgress, signal });
      latest.current.onUploaded(uploaded);
    } catch (error) {
      latest.current.onEnd?.();
      if (!signal.aborted) fail(file, error instanceof Error ? error.message : String(error));
    }
  }

  async function sendAll(): Promise<void> {
    for (let file = work.current.waiting.shift(); file; file = work.current.waiting.shift()) {
      const refusal = findRefusal(file, limits);
      const controller = new AbortController();
      work.current.running = controller;
      if (refusal === undefined) await send(file, controller.signal);
      else fail(file, refusal);
    }
    work.current.running = undefined;
    setState(({ failures }) => ({ failures }));
  }

  return {
    state,
    start(files: readonly File[]) {
      work.current.waiting.push(...files);
      if (work.current.running) return;
      setState(idle);
      void sendAll();
    },
    cancel: () => cancelAll(work.current),
  };
}

function cancelAll(work: { waiting: File[]; running?: AbortController | undefined }): void {
  work.waiting.length = 0;
  work.running?.abort();
}

/** Says why limits refuse a file of a type and a size in bytes; undefined when they do not. */
export function findRefusal(
  { type, size }: { readonly type: string; readonly size: number },
  { accept, maxBytes }: FileLimits,
): string | undefined {
  if (size === 0) return 'The file is empty';
  if (maxBytes !== undefined && size > maxBytes)
    return `The file has ${describeBytes(size)}; at most ${describeBytes(maxBytes)} are allowed`;
  // A browser does not know every type; the server finds it out.
  const isAccepted = (one: string) => (one.endsWith('/*') ? type.startsWith(one.slice(0, -1)) : type === one);
  if (type !== '' && accept && !accept.some(isAccepted))
    return `The file is of the type ${type}; allowed are ${accept.join(', ')}`;
  return undefined;
}

/** The files of a drop or a paste; none where it is of something else. */
export const filesOf = (data: DataTransfer | null): readonly File[] => [...(data?.files ?? [])];
