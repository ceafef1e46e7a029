/** The SDL files that the page of content types checks. */
import { describe, expect, it } from 'vitest';
import {
  addFiles,
  blankDraft,
  changeText,
  isBlank,
  isEdited,
  pastedFile,
  removeFile,
} from '../../../src/admin/pages/content-types/check/draft.ts';

const note = { file: 'note.graphql', text: 'type Note { a: Int }' };
const site = { file: 'site.graphql', text: 'type Site { a: Int }' };
const textsOf = (draft: readonly { file: string; text: string }[]) =>
  draft.map(({ file, text }) => [file, text]);

describe('the files of a change', () => {
  it('replace an empty file, and add to one with a text', () => {
    expect(textsOf(addFiles(blankDraft, [note, site]))).toEqual([
      [note.file, note.text],
      [site.file, site.text],
    ]);
    const pasted = changeText(blankDraft, { file: pastedFile, text: 'type A { a: Int }' });
    expect(addFiles(pasted, [note]).map(({ file }) => file)).toEqual([pastedFile, note.file]);
  });

  it('replace those of the same name, in their place', () => {
    const draft = addFiles(blankDraft, [note, site]);
    const again = addFiles(draft, [{ ...note, text: 'type Note { b: Int }' }]);
    expect(textsOf(again)).toEqual([
      [note.file, 'type Note { b: Int }'],
      [site.file, site.text],
    ]);
  });

  it('count as edited only while a text differs from that of the file', () => {
    const draft = addFiles(blankDraft, [note]);
    expect([isEdited(blankDraft), isEdited(draft)]).toEqual([false, false]);
    const edited = changeText(draft, { ...note, text: 'type Note { b: Int }' });
    expect(isEdited(edited)).toBe(true);
    expect(isEdited(changeText(edited, note))).toBe(false);
    expect(isEdited(changeText(blankDraft, { file: pastedFile, text: 'type A' }))).toBe(true);
  });

  it('give way to an empty file when the last one is removed', () => {
    const draft = addFiles(blankDraft, [note, site]);
    const one = removeFile(draft, note.file);
    expect(one.map(({ file }) => file)).toEqual([site.file]);
    expect(removeFile(one, site.file)).toEqual(blankDraft);
  });

  it('are blank until one has more than white space', () => {
    const draft = changeText(blankDraft, { file: pastedFile, text: ' \n' });
    expect([isBlank(draft), isBlank(addFiles(draft, [note]))]).toEqual([true, false]);
  });
});
