/**
 * The SDL files of a change that is not deployed: pasted, chosen, or taken over from the installation. They are never stored.
 */
import type { TypeSource } from 'colophon-client/admin';

/** A file of the change; `original` is its text before it was edited here. */
export interface DraftFile extends TypeSource {
  readonly original: string;
}

/** The name of the file to paste into. */
export const pastedFile = 'types.graphql';

/** One empty file to paste into. */
export const blankDraft: readonly DraftFile[] = [{ file: pastedFile, text: '', original: '' }];

/** Whether there is nothing to check. */
export const isBlank = (draft: readonly DraftFile[]) => draft.every(({ text }) => text.trim() === '');

/** Whether a text was edited, and would be lost. */
export const isEdited = (draft: readonly DraftFile[]) =>
  draft.some(({ text, original }) => text !== original);

/** Adds files. They replace those of the same name, and a draft without any text. */
export function addFiles(draft: readonly DraftFile[], added: readonly TypeSource[]): DraftFile[] {
  const files = new Map((isBlank(draft) ? [] : draft).map((one) => [one.file, one]));
  for (const { file, text } of added) files.set(file, { file, text, original: text });
  return [...files.values()];
}

/** Replaces the text of a file. */
export const changeText = (draft: readonly DraftFile[], { file, text }: TypeSource): DraftFile[] =>
  draft.map((one) => (one.file === file ? { ...one, text } : one));

/** Removes a file. Without any other, there is again an empty one to paste into. */
export function removeFile(draft: readonly DraftFile[], file: string): readonly DraftFile[] {
  const others = draft.filter((one) => one.file !== file);
  return others.length > 0 ? others : blankDraft;
}
