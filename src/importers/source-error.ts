/** A source that cannot be read, with a message for people, which goes on from the name of the source. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}
