/**
 * Bounds the memory of all bodies that a process holds together, each from its first byte until its request is answered.
 *
 * Beyond the bound, the body that began first, among those that have not ended, is refused: who sends slowly, or never to the end, does
 * not keep others from sending. Small bodies are never refused, and very small ones that arrive at once not even counted, because the limit
 * of requests in progress bounds them as well.
 */

/** Bodies of at most this many bytes are never refused. */
const smallBytes = 65_536;

/** The memory of one body. */
export interface HeldBody {
  /** Changes the number of bytes held. */
  resize(bytes: number): void;
  /** Records that the body is complete, after which it is no longer refused. */
  complete(): void;
  /** Gives up the memory. */
  release(): void;
}

/** Counts the bytes of bodies. */
export interface BodyMemory {
  /** Begins a body; `refuse` is called, once at most, when it must give up its memory. */
  hold(refuse: () => void): HeldBody;
}

/** Creates the count. */
export function createBodyMemory({ maxBytes }: { maxBytes: number }): BodyMemory {
  let heldBytes = 0;
  /** In the order in which they began. */
  const incomplete = new Set<{ bytes: number; readonly refuse: () => void }>();

  function refuseOldest(): void {
    for (const body of incomplete) {
      if (body.bytes <= smallBytes) continue;
      body.refuse();
      return;
    }
  }

  return {
    hold(onRefused) {
      const body = { bytes: 0, refuse };
      let isReleased = false;
      incomplete.add(body);

      function resize(bytes: number): void {
        if (isReleased) return;
        heldBytes += bytes - body.bytes;
        body.bytes = bytes;
        if (heldBytes > maxBytes) refuseOldest();
      }
      function release(): void {
        incomplete.delete(body);
        if (!isReleased) heldBytes -= body.bytes;
        isReleased = true;
      }
      function refuse(): void {
        release();
        onRefused();
      }
      return { resize, complete: () => incomplete.delete(body), release };
    },
  };
}
