/**
 * The content types of the demo, which the package contains as files.
 */
import { join } from 'node:path';
import { readFolder } from '../../app/chosen-types.ts';
import { packageRoot } from '../../base/package-root.ts';

export const demoTypesFolder = join(packageRoot, 'src/cli/demo/types');

const eventsFile = 'events.graphql';

/** Reads the types as they were before an event needed a day and a town. */
export function readFormerTypes(): ReturnType<typeof readFolder> {
  const types = readFolder(demoTypesFolder);
  const sources = types.sources.map((source) =>
    source.file === eventsFile ? { ...source, text: formerEvents } : source,
  );
  return { ...types, sources };
}

/** With the same indexes, in which both kinds of events are found. */
const formerEvents = `
type Event @contentType(class: "com.example.news.Event") {
  title: String! @title @indexed
  day: Date @indexed
  opens: DateTime
  price: Decimal
  town: String @indexed
  article: Article
}`;
