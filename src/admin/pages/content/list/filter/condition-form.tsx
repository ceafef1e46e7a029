/**
 * Builds one condition of a filter by clicks: a field, a comparison and a value. It shows the condition as the predicate has it.
 */
import { Button, Code, Group, Input, NativeSelect, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { ContentType, Field } from '../../../../api.ts';
import { wordsOf } from '../../../../parts/data/field-label.ts';
import { fieldPaths } from '../../../../parts/data/field-paths.ts';
import { shapesOf } from '../../../../parts/data/scalar-views.ts';
import type { Draft } from '../../draft/draft.ts';
import { FormContext } from '../../draft/form-context.ts';
import { readField } from '../../draft/read-draft.ts';
import { FieldInput } from '../../inputs/field-input.tsx';
import { nameOfColumn } from '../columns.ts';
import { comparisonsOf } from './operators.ts';

/** How many values of an enum are buttons; more are a list to choose from. */
const maxButtons = 8;

/** The form; `onChange` receives the condition whenever it changes, undefined while it has no value. `children` stand after its button. */
export function ConditionForm({
  type,
  onChange,
  onClose,
  children,
}: {
  type: ContentType;
  onChange: (condition: string | undefined) => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const paths = useMemo(() => fieldPaths(type), [type]);
  const shapes = useMemo(() => shapesOf(type), [type]);
  const [path, setPath] = useState('');
  const [words, setWords] = useState('');
  const [draft, setDraft] = useState<Draft>();
  const field = paths.find((each) => each.path === path)?.field;
  const comparisons = field ? comparisonsOf(field) : [];
  const comparison = comparisons.find((each) => each.words === words) ?? comparisons[0];
  const item = useMemo(() => field && toItem(field), [field]);
  // A click on one of few values finishes the condition.
  const few = item?.type.values && item.type.values.length <= maxButtons ? item.type.values : undefined;
  const values = item && comparison?.hasValue ? few : undefined;
  const read = item ? readField(item, draft, { path, shapes }) : undefined;
  const isReady =
    comparison !== undefined && (!comparison.hasValue || (read?.flaws.length === 0 && draft !== undefined));
  const condition = isReady ? comparison.write(path, read?.value) : undefined;
  const change = useEffectEvent(onChange);
  useEffect(() => change(condition), [condition]);
  return (
    <Stack gap="xs" role="group" aria-label="New condition">
      <Group gap="xs" align="flex-start">
        <NativeSelect
          label="Field"
          value={path}
          data={[
            { value: '', label: 'Choose a field' },
            ...paths.map((each) => ({ value: each.path, label: nameOfColumn(type, each) })),
          ]}
          onChange={(event) => {
            setPath(event.currentTarget.value);
            setWords('');
            setDraft(undefined);
          }}
        />
        {comparison && (
          <NativeSelect
            label="Comparison"
            value={comparison.words}
            data={comparisons.map((each) => each.words)}
            onChange={(event) => setWords(event.currentTarget.value)}
          />
        )}
        {item && values && comparison && (
          <Input.Wrapper label="Value" labelElement="div" role="group" aria-label="Value">
            <Group gap="xs">
              {values.map((value) => (
                <Button
                  key={value}
                  variant="default"
                  onClick={() => {
                    onChange(comparison.write(path, value));
                    onClose();
                  }}
                >
                  {wordsOf(item.type, value)}
                </Button>
              ))}
            </Group>
          </Input.Wrapper>
        )}
        {item && comparison?.hasValue && !values && (
          <FormContext value={{ shapes, messageAt: () => undefined }}>
            <FieldInput key={path} field={item} path={path} draft={draft} onChange={setDraft} />
          </FormContext>
        )}
        {/* As far down as the inputs, whose labels stand above them. */}
        <Group gap="xs" mt={{ sm: 24 }}>
          <Button variant="default" onClick={onClose}>
            Done
          </Button>
          {children}
        </Group>
      </Group>
      {condition !== undefined && (
        <Text size="sm">
          As a predicate: <Code>{condition}</Code>
        </Text>
      )}
    </Stack>
  );
}

/** The field of the value that is compared: one item, without rules. A condition on a list holds if one of its items fulfils it. */
function toItem({
  description: _description,
  deprecated: _deprecated,
  indexed: _indexed,
  ...field
}: Field): Field {
  // A choice of yes and no, not a check box, which always has a value.
  return { ...field, name: 'value', list: false, required: false, constraint: {} };
}
