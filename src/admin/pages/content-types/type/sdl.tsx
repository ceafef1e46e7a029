/**
 * The definition of a type in the SDL files, folded at first.
 */
import { Accordion, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { parse } from 'graphql';
import type { ContentType, TypeSource } from '../../../api.ts';
import { typeSources } from '../../../parts/data/lists.ts';
import { CopyField } from '../../../parts/layout/copy-field.tsx';
import { Loaded } from '../../../parts/loading/loaded.tsx';

/** The panel. */
export function TypeSdl({ type }: { type: ContentType }) {
  return (
    <Accordion id="sdl" variant="separated" order={2} keepMounted={false}>
      <Accordion.Item value="sdl">
        <Accordion.Control>SDL</Accordion.Control>
        <Accordion.Panel>
          <Definition name={type.name} />
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}

function Definition({ name }: { name: string }) {
  const query = useQuery(typeSources);
  return (
    <Loaded query={query} what="SDL files">
      {({ sources }) => {
        const found = findDefinition(sources, name);
        if (!found) return <Text size="sm">The SDL files do not define the type: Colophon does.</Text>;
        return <CopyField label={`SDL of ${name} in ${found.file}`} text={found.text} maxHeight={480} />;
      }}
    </Loaded>
  );
}

/** Finds the definition with its description. The server has read the files, so they are valid. */
function findDefinition(sources: readonly TypeSource[], name: string): TypeSource | undefined {
  for (const { file, text } of sources) {
    for (const definition of parse(text).definitions) {
      if (!('name' in definition) || definition.name?.value !== name || !definition.loc) continue;
      return { file, text: text.slice(definition.loc.start, definition.loc.end) };
    }
  }
  return undefined;
}
