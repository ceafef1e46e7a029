/**
 * Runs an asset's form: editing, saving, and merging with what others have saved meanwhile. Nothing that was typed is replaced
 * unless the user decides so.
 */
import { notifications } from '@mantine/notifications';
import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { ApiProblem, type ContentType } from '../../../api.ts';
import { isWithin, labelOfPath } from '../../../parts/data/field-label.ts';
import { valueAt } from '../../../parts/data/load-titles.ts';
import { findSlugField, toSlug } from '../../../parts/data/slug.ts';
import { findConflicts } from '../../../parts/difference/same-value.ts';
import { focusField } from '../../../parts/forms/field-link.tsx';
import { placeOf, type Save, type SavePlace, useSaveAsset } from '../asset/save-asset.ts';
import { type Draft, type DraftObject, isSameDraft, toDraftObject, withoutEmptyItems } from './draft.ts';
import { findMessages, toInputPath } from './find-messages.ts';
import { type StoredAsset, useAssetDraft, useUnfitFields } from './use-asset-draft.ts';
import { useBrokenRules } from './use-broken-rules.ts';

/** What a form is about. */
export interface FormSetup {
  /** The asset to edit; absent for a new one. */
  readonly begun: StoredAsset | undefined;
  /** The fields that a new asset begins with, in place of the defaults. */
  readonly copied?: Readonly<Record<string, unknown>> | undefined;
  readonly place: SavePlace;
  /** Whether the form saves drafts only, which go live by other means. */
  readonly draftsOnly: boolean;
  /** Called once the new asset is stored. */
  readonly onCreated: (created: StoredAsset) => void;
}

/** Runs the form of an asset. */
export function useAssetForm(type: ContentType, { begun, copied, place, draftsOnly, onCreated }: FormSetup) {
  const formRef = useRef<HTMLFormElement>(null);
  const [isSubmitted, setIsSubmitted] = useState(false);
  /** Whether something was typed since the last save was begun. */
  const [isEdited, setIsEdited] = useState(false);
  const asset = useAssetDraft(type, begun, copied);
  const { stored, draft, changed, flaws, shapes } = asset;
  const unfit = useUnfitFields(stored, place.release);
  const rules = useBrokenRules(type, asset);
  /** The path to show and focus. */
  const [target, setTarget] = useState<{ readonly path: string }>();
  const goTo = (path: string) => setTarget({ path });
  useEffect(() => {
    if (target) focusPath(formRef.current, target.path);
  }, [target]);
  const save = useSaveAsset(type, {
    onError: (error) => {
      const [first] = error instanceof ApiProblem ? error.problems : [];
      if (first) goTo(toInputPath(first.path));
    },
    onSaved: (saved, { base, body, draft: sent }) => {
      if (!base) return onCreated(saved);
      const { others } = findConflicts({ base: base.data, theirs: saved.data, body });
      // What a publication changes besides is not the work of others.
      if (Object.keys(body).length > 0) reportMerge(others.map((name) => labelOfPath(type, name)));
      // What was typed while the save was under way is not saved yet.
      asset.adopt(
        saved,
        (name, value) => !isSameDraft(withoutEmptyItems({ [name]: value })[name], sent[name]),
      );
      setIsSubmitted(false);
    },
  });
  const restart = (present: StoredAsset | undefined) => {
    asset.adopt(present);
    setIsSubmitted(false);
    save.reset();
  };
  const run = (sent: Save) => {
    setIsEdited(false);
    save.run({ ...sent, draft: withoutEmptyItems(sent.draft) });
  };
  /** Saves a draft, which may lack required values. */
  function saveDraft(): void {
    const wrong = flaws.find(({ isMissing }) => !isMissing);
    if (wrong) {
      setIsSubmitted(true);
      goTo(wrong.path);
    } else run({ ...place, goal: 'draft', body: asset.toBody(), draft, base: stored });
  }
  const { messages, toFix } = findMessages({
    type,
    base: asset.base,
    draft,
    changed,
    flaws,
    isSubmitted,
    unfit: unfit.items ?? [],
    rules,
    error: save.error,
    saved: save.variables,
  });
  const conflict = save.data?.kind === 'conflict' ? save.data : undefined;
  return {
    ...asset,
    formRef,
    /** Whether there is something to save: a new asset always is. */
    hasChanges: !stored || changed.size > 0,
    unfit,
    isSaving: save.isPending,
    // What was wrong with another draft is no news.
    error: isEdited ? null : save.error,
    flawCount: isSubmitted ? flaws.length : 0,
    messages,
    /** What keeps the asset from being saved, by path; empty until a save was tried. */
    toFix,
    target,
    goTo,
    change: (name: string, value: Draft) => {
      setIsEdited(true);
      asset.change(name, value);
      const { titleField = '' } = type;
      if (!stored && isWithin(titleField, name))
        changeSlug(asset, type, valueAt({ [name]: value }, titleField));
    },
    submit: (event: SyntheticEvent) => {
      event.preventDefault();
      // A form in a dialog must not submit the form below it.
      event.stopPropagation();
      if (draftsOnly) return saveDraft();
      setIsSubmitted(true);
      const [first] = flaws;
      if (first) goTo(first.path);
      else run({ ...place, goal: 'publish', body: asset.toBody(), draft, base: stored });
    },
    draftsOnly,
    place,
    saveDraft,
    /** What keeps the saved draft from being published, until something is typed. */
    refusal: !isEdited && save.data?.kind === 'refused' ? save.data.finding : undefined,
    /** Shows another stored state, such as after the draft was discarded. */
    showStored: restart,
    discard: () => restart(stored),
    restore: (changes: DraftObject, began: StoredAsset | undefined) => {
      setIsEdited(true);
      asset.restore(changes, began);
    },
    /** Shows what was restored, unless there are unsaved changes, which the next save merges with it. */
    showRestored: (restored: StoredAsset) => {
      if (changed.size === 0) restart(restored);
    },
    /** What others have changed at the same time as the draft, as the last save found. */
    conflict: conflict?.changes,
    /** The release whose draft others have changed; undefined for the live asset. */
    conflictRelease: save.variables && placeOf(save.variables).release,
    /** Gives up the values of the given fields for those of the other person, and saves the rest. */
    merge: (given: readonly string[]) => {
      if (!conflict || !save.variables) return;
      const { theirs } = conflict;
      const rest = leaveOut(save.variables.body, given);
      asset.adopt(theirs, (name) => name in rest);
      const mine = Object.entries(draft).filter(([name]) => name in rest);
      const sent = { ...toDraftObject(type.fields, theirs.data, shapes), ...Object.fromEntries(mine) };
      if (mine.length === 0) save.reset();
      else run({ ...save.variables, body: rest, draft: sent, base: theirs });
    },
    stopMerge: save.reset,
  };
}

/** The form that its components receive. */
export type AssetFormState = ReturnType<typeof useAssetForm>;

function leaveOut(body: Save['body'], names: readonly string[]): Save['body'] {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

function reportMerge(others: readonly string[]): void {
  if (others.length === 0) return;
  notifications.show({ message: `Saved. Someone else has changed ${others.join(', ')}, which you see now.` });
}

/** Until the user writes another slug into a new asset, it follows the title. */
function changeSlug(
  { draft, change }: Pick<ReturnType<typeof useAssetDraft>, 'draft' | 'change'>,
  type: ContentType,
  title: unknown,
): void {
  const field = findSlugField(type);
  if (!field) return;
  const slugOf = (text: unknown) => toSlug(typeof text === 'string' ? text : '', field.constraint);
  const present = draft[field.name] ?? '';
  const before = slugOf(valueAt(draft, type.titleField));
  if (present === before) change(field.name, slugOf(title) || undefined);
}

/** Focuses the input at a path once it is drawn, or what contains it; where there is neither, the first one that is wrong. */
function focusPath(form: HTMLFormElement | null, path: string): void {
  requestAnimationFrame(() => {
    const place = form && findPlace(form, path);
    if (!focusField(place)) focusField(form?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? null);
  });
}

/** The element of a path, or the group that it would be in. */
function findPlace(form: HTMLElement, path: string): HTMLElement | null {
  const outer = path.replace(/(?:\.[^.[\]]*|\[\d+\])$/, '');
  const found = form.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`);
  return found ?? (outer === path ? null : findPlace(form, outer));
}
