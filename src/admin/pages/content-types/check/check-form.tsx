/**
 * Checks a change of content types that is not deployed: its SDL files and the report.
 */
import { Accordion, Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { ApiProblem, admin, answer, type TypeSource, type TypesReport } from '../../../api.ts';
import { Confirm } from '../../../parts/confirm/confirm.tsx';
import { countOf } from '../../../parts/data/number-words.ts';
import type { DocumentProblem } from '../../../parts/editor/document-problems.ts';
import { GraphqlEditor } from '../../../parts/editor/graphql-editor.tsx';
import { type Action, BusyButton, useAction } from '../../../parts/forms/busy-button.tsx';
import { LeaveGuard } from '../../../parts/forms/form-bar.tsx';
import { Mark } from '../../../parts/layout/mark.tsx';
import { Section } from '../../../parts/layout/page.tsx';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import { Report } from '../report/report.tsx';
import {
  addFiles,
  blankDraft,
  changeText,
  type DraftFile,
  isBlank,
  isEdited,
  pastedFile,
  removeFile,
} from './draft.ts';

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

/** A check of files; its `variables` are the files it checked. */
export type Check = Action<TypesReport, readonly DraftFile[]>;

/** Checks a change. The server ends a check when the page is left. */
function useCheck(): Check {
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  return useAction((files: readonly DraftFile[]) => {
    const controller = new AbortController();
    running.current = controller;
    const sources = files.map(({ file, text }) => ({ file, text }));
    return answer(admin.checkTypes({ body: { sources }, signal: controller.signal }));
  });
}

/** The problems that the last check found in a file, until its text changes. */
function problemsOf(
  { error, variables = [] }: Pick<Check, 'error' | 'variables'>,
  { file, text }: DraftFile,
): DocumentProblem[] {
  const isChecked = variables.some((variable) => variable.file === file && variable.text === text);
  if (!isChecked || !(error instanceof ApiProblem)) return [];
  return error.problems.flatMap(({ message }) => readProblem(file, message));
}

/** Reads `<file>:<line>:<column> <message>`; nothing when it is about another file. */
function readProblem(file: string, text: string): DocumentProblem[] {
  if (!text.startsWith(`${file}:`)) return [];
  const [, line, column, message] = /^(\d+):(\d+) (.*)$/s.exec(text.slice(file.length + 1)) ?? [];
  return message === undefined ? [] : [{ message, line: Number(line), column: Number(column) }];
}

/** The panels; the one to paste into is open. */
function DraftFiles({
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
