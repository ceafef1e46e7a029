/**
 * Checks a change of content types that is not deployed: its SDL files and the report.
 */
import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import type { TypeSource } from '../../../api.ts';
import { BusyButton, useAction } from '../../../parts/forms/busy-button.tsx';
import { LeaveGuard } from '../../../parts/forms/form-bar.tsx';
import { Section } from '../../../parts/layout/page.tsx';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import { Report } from '../report/report.tsx';
import { addFiles, blankDraft, type DraftFile, isBlank, isEdited } from './draft.ts';
import { DraftFiles } from './draft-files.tsx';
import { useCheck } from './use-check.ts';

/** The form and the report of its last check; `present` are the files of the installation. */
export function CheckForm({ present }: { present: readonly TypeSource[] }) {
  const [draft, setDraft] = useState<readonly DraftFile[]>(blankDraft);
  const check = useCheck();
  const add = (files: readonly TypeSource[]) => setDraft((before) => addFiles(before, files));
  const choosing = useAction(readFiles, { onSuccess: add });
  return (
    <>
      <LeaveGuard isChanged={isEdited(draft)} />
      <Section title="Check a change">
        <form
          aria-label="New content types"
          onSubmit={(event) => {
            event.preventDefault();
            if (!isBlank(draft)) check.run(draft);
          }}
        >
          <Stack gap="sm">
            <Text size="sm">
              Paste the SDL of the new content types, or choose its files, to see what the change breaks. All
              content types must be there: one that is missing counts as removed. Nothing is changed.
            </Text>
            <Group gap="xs">
              <ChooseFiles onChoose={choosing.run} />
              {isBlank(draft) && present.length > 0 && (
                <Button variant="default" onClick={() => add(present)}>
                  Begin with the present files
                </Button>
              )}
            </Group>
            <ProblemAlert error={choosing.error} title="The files could not be read" />
            <DraftFiles draft={draft} onChange={setDraft} check={check} />
            <Group>
              <BusyButton isBusy={check.isPending} disabled={isBlank(draft)}>
                Check
              </BusyButton>
            </Group>
            <ProblemAlert error={check.error} title="Not checked" />
          </Stack>
        </form>
      </Section>
      {check.data && <Report report={check.data} isOutdated={check.variables !== draft} />}
    </>
  );
}

function ChooseFiles({ onChoose }: { onChoose: (files: readonly File[]) => void }) {
  const reset = useRef<() => void>(null);
  const choose = (files: File[]) => {
    if (files.length > 0) onChoose(files);
    // So that the same files can be chosen again after they were edited.
    reset.current?.();
  };
  return (
    <FileButton multiple accept=".graphql,.graphqls,.gql" onChange={choose} resetRef={reset}>
      {({ onClick }) => (
        <Button variant="default" onClick={onClick}>
          Choose files…
        </Button>
      )}
    </FileButton>
  );
}

/** The server accepts at most 262,144 characters of SDL, each of which has at most 4 bytes. */
const maxBytes = 1_048_576;

/** Reads the files as UTF-8. Errors: Error with a message for the user. */
const readFiles = (files: readonly File[]): Promise<TypeSource[]> => Promise.all(files.map(readFile));

async function readFile(file: File): Promise<TypeSource> {
  const { name, size } = file;
  if (size > maxBytes) throw new Error(`${name} has more than 1 MiB`);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    return { file: name, text };
  } catch (cause) {
    throw new Error(`${name} cannot be read as UTF-8 text`, { cause });
  }
}
