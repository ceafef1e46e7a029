/**
 * The calls that a thread has received and not begun. It takes them in batches, in which the senders take turns: whose turn is longest
 * ago comes first. The calls of one sender keep their order.
 */

/** The limits of a batch: at most `calls` calls, and no further one with which it would have more than `bytes` bytes. */
export interface BatchLimits<Request> {
  readonly calls: number;
  readonly bytes: number;
  /** Absent means that calls have no size. */
  readonly sizeOf?: (request: Request) => number;
  /** Absent means that all calls have one sender. */
  readonly senderOf?: (request: Request) => string;
}

/** A queue of calls. */
export interface CallQueue<Call> {
  add(call: Call): void;
  /** Takes the next batch; it is empty only if the queue is. */
  take(): Call[];
  size(): number;
}

/** Creates the queue. */
export function createCallQueue<Request, Call extends { readonly request: Request }>({
  calls: maxCalls,
  bytes: maxBytes,
  sizeOf = () => 0,
  senderOf = () => '',
}: BatchLimits<Request>): CallQueue<Call> {
  /** By sender, the one whose turn is longest ago first. */
  const waiting = new Map<string, Call[]>();
  let size = 0;

  return {
    add(call) {
      const sender = senderOf(call.request);
      const calls = waiting.get(sender);
      if (calls) calls.push(call);
      else waiting.set(sender, [call]);
      size++;
    },
    take() {
      const batch: Call[] = [];
      let bytes = 0;
      /** Takes the first call of a sender, if there is room for it. A lone call needs no measuring. */
      const takeFrom = (sender: string, calls: Call[]): boolean => {
        const [first] = calls;
        if (!first || batch.length === maxCalls) return false;
        const added = size === 1 ? 0 : sizeOf(first.request);
        if (batch.length > 0 && bytes + added > maxBytes) return false;
        calls.shift();
        batch.push(first);
        bytes += added;
        size--;
        waiting.delete(sender);
        if (calls.length > 0) waiting.set(sender, calls);
        return true;
      };
      let isTaken = true;
      while (isTaken) {
        isTaken = false;
        for (const [sender, calls] of [...waiting]) isTaken = takeFrom(sender, calls) || isTaken;
      }
      return batch;
    },
    size: () => size,
  };
}
