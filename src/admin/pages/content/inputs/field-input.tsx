/**
 * The input of a field of any type. Only this component descends into lists and embedded values.
 */
import { Button } from '@mantine/core';
import { use } from 'react';
import { labelOf } from '../../../parts/data/field-label.ts';
import { fieldsOfValue, isFileField, kindsOf } from '../../../parts/data/scalar-views.ts';
import { groupFields } from '../draft/arrange-fields.ts';
import { type DraftObject, isDraftObject, toNewDraft } from '../draft/draft.ts';
import { describeHint, drawLabel, FormContext, type InputProps, toSentence } from '../draft/form-context.ts';
import { useRemoval } from '../draft/use-removal.tsx';
import { BlockInput } from './block-input.tsx';
import { ChipList, useIsChipList } from './chip-list.tsx';
import { FieldSections, GroupFrame } from './field-grid.tsx';
import { FileInput, FileListInput } from './file/file-input.tsx';
import { ListInput } from './list-input.tsx';
import { ReferenceInput } from './reference-input.tsx';
import { ValueInput } from './value-input.tsx';

/** Edits the draft of a field. */
export function FieldInput(props: InputProps) {
  if (props.field.list && isFileField(props.field)) {
    return (
      <ListInput {...props} renderItem={renderItem}>
        <FileListInput {...props} />
      </ListInput>
    );
  }
  if (props.field.list) return <AnyList {...props} />;
  return <OneInput {...props} />;
}

function AnyList(props: InputProps) {
  if (useIsChipList(props)) return <ChipList {...props} />;
  return <ListInput {...props} renderItem={renderItem} />;
}

const renderItem = (item: InputProps) => <OneInput {...item} />;

function OneInput(props: InputProps) {
  switch (props.field.type.kind) {
    case 'embedded':
      if (isFileField(props.field)) return <FileInput {...props} renderMember={renderMember} />;
      return <EmbeddedOrBlock {...props} />;
    case 'reference':
      return <ReferenceInput {...props} />;
    default:
      return <ValueInput {...props} />;
  }
}

const renderMember = (props: InputProps) => <FieldInput key={props.field.name} {...props} />;

function EmbeddedOrBlock(props: InputProps) {
  const { shapes } = use(FormContext);
  return kindsOf(props.field, shapes) ? (
    <BlockInput {...props} renderMembers={renderMembers} />
  ) : (
    <EmbeddedInput {...props} />
  );
}

function EmbeddedInput({ field, path, draft, onChange, itemLabel, itemActions }: InputProps) {
  const { shapes, messageAt } = use(FormContext);
  const isOptional = !field.required && itemLabel === undefined;
  const isThere = isDraftObject(draft);
  const { askToRemove, question } = useRemoval(path, () => onChange(undefined));
  const hint = itemLabel === undefined ? describeHint(field) : undefined;
  return (
    <GroupFrame
      name={itemLabel ?? drawLabel(field)}
      path={path}
      hint={hint}
      message={toSentence(itemLabel ?? labelOf(field), messageAt(path))}
      isLined={isThere}
      actions={
        itemActions ??
        (isOptional && isThere && (
          <Button
            variant="default"
            size="compact-xs"
            aria-label={`Remove ${labelOf(field)}`}
            onClick={() =>
              askToRemove({
                key: undefined,
                name: labelOf(field),
                value: draft,
                fresh: toNewDraft(field, shapes),
              })
            }
          >
            Remove
          </Button>
        ))
      }
    >
      {question}
      {isThere && <Members field={field} path={path} draft={draft} onChange={onChange} />}
      {!isThere && (
        <Button
          variant="default"
          size="xs"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => onChange(toNewDraft(field, shapes))}
        >
          Add {labelOf(field)}
        </Button>
      )}
    </GroupFrame>
  );
}

const renderMembers = (props: Omit<InputProps, 'draft'> & { draft: DraftObject }) => <Members {...props} />;

function Members({ field, path, draft, onChange }: Omit<InputProps, 'draft'> & { draft: DraftObject }) {
  const members = fieldsOfValue(field, draft, use(FormContext).shapes);
  return (
    <FieldSections
      groups={groupFields(members)}
      draw={(member) => (
        <FieldInput
          field={member}
          path={`${path}.${member.name}`}
          draft={draft[member.name]}
          onChange={(value) => onChange({ ...draft, [member.name]: value })}
        />
      )}
    />
  );
}
