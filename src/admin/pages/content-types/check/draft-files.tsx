/**
 * The files of a change as a list of panels, each with an editor that marks what is wrong.
 */
import { Accordion, Button, Group, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Confirm } from '../../../parts/confirm/confirm.tsx';
import { countOf } from '../../../parts/data/number-words.ts';
import { GraphqlEditor } from '../../../parts/editor/graphql-editor.tsx';
import { Mark } from '../../../parts/layout/mark.tsx';
import { changeText, type DraftFile, pastedFile, removeFile } from './draft.ts';
import { type Check, problemsOf } from './use-check.ts';

/** The panels; the one to paste into is open. */
export function DraftFiles({
  draft,
  onChange,
  check,
}: {
  draft: readonly DraftFile[];
  onChange: (draft: readonly DraftFile[]) => void;
  check: Check;
}) {
  return (
    <Accordion multiple variant="separated" order={3} defaultValue={[pastedFile]} keepMounted={false}>
      {draft.map((file) => (
        <FilePanel
          key={file.file}
          file={file}
          check={check}
          canRemove={draft.length > 1 || file.text !== ''}
          onChange={(text) => onChange(changeText(draft, { file: file.file, text }))}
          onRemove={() => onChange(removeFile(draft, file.file))}
        />
      ))}
    </Accordion>
  );
}

function FilePanel({
  file,
  check,
  canRemove,
  onChange,
  onRemove,
}: {
  file: DraftFile;
  check: Check;
  canRemove: boolean;
  onChange: (text: string) => void;
  onRemove: () => void;
}) {
  const [isRemoving, setIsRemoving] = useState(false);
  const { error, variables } = check;
  const problems = useMemo(() => problemsOf({ error, variables }, file), [error, variables, file]);
  const { length } = problems;
  return (
    <Accordion.Item value={file.file}>
      <Accordion.Control>
        <Group gap="sm">
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {file.file}
          </Text>
          {file.text !== file.original && <Mark color="orange">Edited</Mark>}
          {length > 0 && <Mark color="red">{countOf(length, 'problem')}</Mark>}
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="sm">
          <GraphqlEditor
            label={`New SDL of ${file.file}`}
            value={file.text}
            onChange={onChange}
            problems={problems}
          />
          {canRemove && (
            <Group>
              <Button
                variant="default"
                size="xs"
                aria-label={`Remove ${file.file} from the check`}
                onClick={() => (file.text === file.original ? onRemove() : setIsRemoving(true))}
              >
                Remove
              </Button>
            </Group>
          )}
          <Confirm
            title={`Remove ${file.file}?`}
            consequence="What you have written there goes, and nothing brings it back."
            action="Remove"
            isOpen={isRemoving}
            onClose={() => setIsRemoving(false)}
            onConfirm={async () => {
              setIsRemoving(false);
              onRemove();
            }}
          />
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}
