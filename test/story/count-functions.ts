/**
 * Counts the functions of `src` that run, in the main thread and in all worker threads that have started, by V8's coverage.
 */
import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const sources = `${resolve('src')}/`;

type Coverage = Profiler.TakePreciseCoverageReturnType;

export interface FunctionCounter {
  /** Returns the functions that were entered since the last call, each as `<path>#<name>:<offset>` with the path from here. */
  take(): Promise<Set<string>>;
}

/** Starts to count. Each thread that starts later is counted from its start. */
export async function countFunctions(): Promise<FunctionCounter> {
  const main = new Session();
  main.connect();
  const threads = new Map<string, ReturnType<typeof toThread>>();
  const starts: Promise<unknown>[] = [];
  const toThread = (sessionId: string) => {
    let last = 0;
    const answers = new Map<number, (result: Coverage) => void>();
    return {
      post(method: string, params = {}): Promise<Coverage> {
        last++;
        const answer = new Promise<Coverage>((done) => answers.set(last, done));
        const message = JSON.stringify({ id: last, method, params });
        void main.post('NodeWorker.sendMessageToWorker', { sessionId, message });
        return answer;
      },
      receive(message: string) {
        const { id, result } = JSON.parse(message);
        answers.get(id)?.(result);
        answers.delete(id);
      },
    };
  };
  main.on('NodeWorker.attachedToWorker', ({ params }) => {
    const thread = toThread(params.sessionId);
    threads.set(params.sessionId, thread);
    starts.push(start((method, parameters) => thread.post(method, parameters)));
  });
  main.on('NodeWorker.detachedFromWorker', ({ params }) => threads.delete(params.sessionId));
  main.on('NodeWorker.receivedMessageFromWorker', ({ params }) =>
    threads.get(params.sessionId)?.receive(params.message),
  );
  await main.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  await start((method, parameters) => main.post(method, parameters));

  return {
    async take() {
      await Promise.all(starts);
      const all = await Promise.all([
        main.post('Profiler.takePreciseCoverage'),
        ...[...threads.values()].map((thread) => thread.post('Profiler.takePreciseCoverage')),
      ]);
      return new Set(all.flatMap(({ result }) => result.flatMap(enteredIn)));
    },
  };
}

async function start(post: (method: string, params?: object) => Promise<unknown>): Promise<void> {
  await post('Profiler.enable');
  await post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
}

function enteredIn({ url, functions }: Profiler.ScriptCoverage): string[] {
  if (!url.startsWith('file:')) return [];
  const path = fileURLToPath(url);
  if (!path.startsWith(sources)) return [];
  const isEntered = ({ ranges: [range] }: Profiler.FunctionCoverage) => range && range.count > 0;
  return functions
    .filter(isEntered)
    .map(
      ({ functionName, ranges }) =>
        `src/${path.slice(sources.length)}#${functionName}:${ranges[0]?.startOffset}`,
    );
}
