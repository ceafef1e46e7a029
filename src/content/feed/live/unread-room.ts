/**
 * The memory that unread pages hold, of all live streams of a client together. A stream sends while there is room; the others wait, in
 * their order, and read their pages once they may send them.
 */

/** How many bytes may be unread before further streams wait. A page of one large asset may exceed it. */
const maxBytes = 16_777_216;

/** The room of one client. */
export class UnreadRoom {
  #held = 0;
  readonly #waiting = new Set<() => void>();

  get isFull(): boolean {
    return this.#held >= maxBytes;
  }

  hold(bytes: number): void {
    this.#held += bytes;
  }

  release(bytes: number): void {
    this.#held -= bytes;
    this.wakeNext();
  }

  /** Lets the stream go on that has waited longest, if there is room. Each stream does so once it has sent. */
  wakeNext(): void {
    if (this.isFull) return;
    const [first] = this.#waiting;
    first?.();
  }

  /** Resolves when there is room, or when the stream ends. */
  async untilRoom(signal: AbortSignal): Promise<void> {
    while (this.isFull && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const goOn = () => {
          this.#waiting.delete(goOn);
          signal.removeEventListener('abort', goOn);
          resolve();
        };
        this.#waiting.add(goOn);
        signal.addEventListener('abort', goOn);
      });
    }
  }
}
