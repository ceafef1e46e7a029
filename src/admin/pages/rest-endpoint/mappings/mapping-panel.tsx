/**
 * One mapping: its definition, the types of its operation, and a form to call the published route.
 */
import { Button, Group, SimpleGrid, Stack, Tabs, Text } from '@mantine/core';
import { use, useState } from 'react';
import { Confirm } from '../../../parts/confirm/confirm.tsx';
import { countOf } from '../../../parts/data/number-words.ts';
import { CopyField } from '../../../parts/layout/copy-field.tsx';
import type { MappingDraft } from '../editor/draft.ts';
import { GoalContext } from '../editor/field-goal.ts';
import type { MappingFindings } from '../editor/findings.ts';
import { TryPanel } from '../try-it/try-form.tsx';
import { MappingFields, QueryField } from './mapping-fields.tsx';
import { splitDeclarations } from './split-declarations.ts';

/** The parts of a mapping as tabs, and the button that removes it. */
export function MappingPanel({
  mapping,
  source,
  prefix,
  findings,
  onChange,
  onRemove,
}: {
  mapping: MappingDraft;
  source: string;
  prefix: string;
  findings: MappingFindings | undefined;
  onChange: (changes: Partial<MappingDraft>) => void;
  onRemove: () => void;
}) {
  const typescript = findings?.checked.typescript;
  const [tab, setTab] = useState<string | null>('definition');
  const [isRemoving, setIsRemoving] = useState(false);
  const { goal } = use(GoalContext);
  // While rendering, so that the field is displayed when it is to take the focus.
  if (goal?.mapping === mapping.key && tab !== 'definition') setTab('definition');
  return (
    <Tabs value={tab} onChange={setTab}>
      <Tabs.List mb="md">
        <Tabs.Tab value="definition">Definition</Tabs.Tab>
        <Tabs.Tab value="typescript">TypeScript</Tabs.Tab>
        <Tabs.Tab value="try">Try it</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="definition">
        <MappingFields
          mapping={mapping}
          source={source}
          prefix={prefix}
          findings={findings}
          onChange={onChange}
        />
        <Group justify="flex-end" mt="md">
          <Button size="xs" variant="outline" color="red" onClick={() => setIsRemoving(true)}>
            Remove mapping…
          </Button>
        </Group>
        <Confirm
          title={`Remove ${mapping.name || 'this mapping'}?`}
          consequence="Its query and its settings leave the form. This browser keeps them, and the form offers to restore them. A published route stays until you publish."
          action="Remove mapping"
          isOpen={isRemoving}
          onClose={() => setIsRemoving(false)}
          onConfirm={async () => onRemove()}
        />
      </Tabs.Panel>
      <Tabs.Panel value="typescript">
        {typescript ? (
          <Declaration text={typescript} />
        ) : (
          <Text size="sm">The declaration appears when the query has no problems.</Text>
        )}
      </Tabs.Panel>
      <Tabs.Panel value="try">
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          {/* One editor at a time. */}
          <div>
            {tab === 'try' && (
              <QueryField mapping={mapping} source={source} findings={findings} onChange={onChange} />
            )}
          </div>
          <TryPanel mapping={mapping} checked={findings?.checked} />
        </SimpleGrid>
      </Tabs.Panel>
    </Tabs>
  );
}

/** What a caller needs, and folded away the input objects of the variables. */
function Declaration({ text }: { text: string }) {
  const { own, inputs } = splitDeclarations(text);
  return (
    <Stack gap="xs">
      <CopyField label="TypeScript declaration" text={text} shown={own} />
      {inputs.length > 0 && (
        <Text component="details" size="sm">
          <summary>{countOf(inputs.length, 'input type')} of its variables</summary>
          <CopyField label="Input types" text={inputs.join('\n\n')} />
        </Text>
      )}
    </Stack>
  );
}
