/**
 * Sends a change of content types to be checked, and finds the problems of its files.
 */
import { useEffect, useRef } from 'react';
import { ApiProblem, admin, answer, type TypesReport } from '../../../api.ts';
import type { DocumentProblem } from '../../../parts/editor/document-problems.ts';
import { type Action, useAction } from '../../../parts/forms/busy-button.tsx';
import type { DraftFile } from './draft.ts';

/** A check of files; its `variables` are the files it checked. */
export type Check = Action<TypesReport, readonly DraftFile[]>;

/** Checks a change. The server ends a check when the page is left. */
export function useCheck(): Check {
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
export function problemsOf(
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
