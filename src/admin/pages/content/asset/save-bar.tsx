/**
 * The bar of an asset's form: its state, unsaved changes, what is wrong, the error of the last save, and the buttons.
 */
import { Alert, Button, List, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ApiProblem, type ContentType } from '../../../api.ts';
import { Confirm } from '../../../parts/confirm/confirm.tsx';
import { isWithin, labelOfPath } from '../../../parts/data/field-label.ts';
import { countOf } from '../../../parts/data/number-words.ts';
import { FieldLink } from '../../../parts/forms/field-link.tsx';
import { FormBar } from '../../../parts/forms/form-bar.tsx';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import { arrangeFields } from '../draft/arrange-fields.ts';
import { toInputPath } from '../draft/find-messages.ts';
import type { UnsavedDraft } from '../draft/unsaved-draft.tsx';
import type { AssetFormState } from '../draft/use-asset-form.ts';
import { FindingText, ResolveButton } from '../merge/resolve-draft.tsx';
import { LastChange } from './asset-state.tsx';
import { FieldJumps } from './field-jumps.tsx';

/** The bar of the surrounding form. Its main button submits it; `state` says what is stored. */
export function SaveBar({
  type,
  isNew,
  form,
  unsaved,
  state,
}: {
  type: ContentType;
  isNew: boolean;
  form: AssetFormState;
  unsaved: UnsavedDraft;
  state?: ReactNode;
}) {
  const { changed, flawCount, isSaving, error, toFix, place, draftsOnly, saveDraft, hasChanges } = form;
  return (
    <FormBar
      state={
        <>
          {state}
          <div style={{ whiteSpace: 'nowrap' }}>
            <Text size="xs" role="status">
              {flawCount > 0
                ? `${countOf(flawCount, 'problem')} to fix`
                : describeChanges(isNew, changed.size)}
            </Text>
            {form.stored && <LastChange asset={form.stored.data} />}
          </div>
        </>
      }
      problems={
        <>
          {error !== null && !isAtFields(error, type) && (
            <ProblemAlert
              error={error}
              title={isGone(error) ? goneTitle : 'Not saved'}
              nameOf={(path) => labelOfPath(type, path)}
            />
          )}
          {toFix.length > 0 && <ToFix type={type} form={form} />}
          <Refusal type={type} form={form} />
        </>
      }
    >
      <FieldJumps type={type} form={form} />
      <DiscardButton form={form} unsaved={unsaved} />
      {place.release !== null && !draftsOnly && (
        <Button variant="default" px="sm" loading={isSaving} disabled={!hasChanges} onClick={saveDraft}>
          Save draft
        </Button>
      )}
      {(place.release !== null || !draftsOnly) && (
        <Button type="submit" loading={isSaving} disabled={!hasChanges && (draftsOnly || !place.isDrafted)}>
          {draftsOnly ? 'Save draft' : 'Publish'}
        </Button>
      )}
    </FormBar>
  );
}

/** Gives up what is not saved, after a question; the browser keeps it, and the form offers it again. */
function DiscardButton({ form, unsaved }: { form: AssetFormState; unsaved: UnsavedDraft }) {
  const [isAsking, setIsAsking] = useState(false);
  const { changed, stored } = form;
  return (
    <>
      {changed.size > 0 && (
        <Button
          variant="subtle"
          color="gray"
          px="sm"
          aria-label="Discard changes"
          onClick={() => setIsAsking(true)}
        >
          Discard…
        </Button>
      )}
      <Confirm
        title="Discard your changes?"
        consequence={`The form goes back to ${stored ? 'what was saved last' : 'an empty one'}: ${countOf(changed.size, 'field')}. This browser keeps your changes, and the form offers to restore them.`}
        action="Discard changes"
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        onConfirm={async () => {
          setIsAsking(false);
          unsaved.keepDiscarded();
          form.discard();
        }}
      />
    </>
  );
}

/** Why the draft, which is saved, was not published. */
function Refusal({ type, form }: { type: ContentType; form: AssetFormState }) {
  const { refusal, place, goTo, showStored } = form;
  if (!refusal || place.release === null) return null;
  return (
    <Alert color="red" variant="light" title="Saved as a draft, but not published" role="alert">
      <FindingText
        finding={refusal}
        linkTo={({ path }) => (
          <FieldLink label={labelOfPath(type, path)} onGo={() => goTo(toInputPath(path))} />
        )}
      />
      <ResolveButton release={place.release} finding={refusal} onResolved={showStored} />
    </Alert>
  );
}

/** What is wrong, in the order of the form, each with the name that its field has there, and leading to it. */
function ToFix({ type, form: { toFix, goTo } }: { type: ContentType; form: AssetFormState }) {
  const { main, side, system } = arrangeFields(type);
  const order = [...main.flatMap(({ fields }) => fields), ...side, ...system];
  const placeOf = ([path]: (typeof toFix)[number]) => order.findIndex(({ name }) => isWithin(path, name));
  const inOrder = toFix.toSorted((one, other) => placeOf(one) - placeOf(other));
  return (
    <Alert color="red" variant="light" title="Not saved" role="alert">
      <List size="sm">
        {inOrder.map(([path, message]) => (
          <List.Item key={path}>
            <FieldLink label={labelOfPath(type, path)} onGo={() => goTo(path)} /> {message}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

const goneTitle = 'Not saved: someone has deleted this asset. Restore it from its history, then save again.';

const isGone = (error: unknown) => error instanceof ApiProblem && error.status === 404;

/** Whether all that an error says is about fields of the form, which show it. */
function isAtFields(error: unknown, { fields }: ContentType): boolean {
  if (!(error instanceof ApiProblem) || error.problems.length === 0) return false;
  return error.problems.every(({ path }) => fields.some(({ name }) => isWithin(path, name)));
}

function describeChanges(isNew: boolean, changeCount: number): string {
  if (isNew) return 'Not saved yet';
  return changeCount === 0 ? 'All changes saved' : `${countOf(changeCount, 'field')} changed`;
}
