/**
 * An editor for GraphQL documents: it completes and checks against a schema, and shows the problems a server found.
 *
 * Tab leaves it, as it leaves every field; F8 goes to the next problem.
 */

import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { Annotation, type Extension, Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { Box, Input, List } from '@mantine/core';
import { graphql, updateSchema } from 'cm6-graphql';
import { basicSetup } from 'codemirror';
import type { GraphQLSchema } from 'graphql';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { type DocumentProblem, documentProblems, setProblems } from './document-problems.ts';

/** A labelled editor; its problems are underlined where they are, and listed below. */
export function GraphqlEditor({
  label,
  description,
  value,
  onChange,
  schema,
  problems = none,
}: {
  label: string;
  description?: string;
  value: string;
  onChange: (value: string) => void;
  /** Without one, nothing is completed, and only what `problems` says is wrong. */
  schema?: GraphQLSchema | undefined;
  problems?: readonly DocumentProblem[];
}) {
  const id = useId();
  const home = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<EditorView>();
  const report = useEffectEvent(onChange);

  useEffect(() => {
    const created = new EditorView({
      ...(home.current ? { parent: home.current } : {}),
      extensions: [
        editorTheme,
        basicSetup,
        graphql(),
        documentProblems,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          'aria-labelledby': `${id}-label`,
          'aria-describedby': `${id}-problems`,
        }),
        EditorView.updateListener.of(({ docChanged, transactions, state }) => {
          if (docChanged && !transactions.some((change) => change.annotation(given))) {
            report(state.doc.toString());
          }
        }),
      ],
    });
    setView(created);
    return () => created.destroy();
  }, [id]);

  useEffect(() => view && replaceText(view, value), [view, value]);
  useEffect(() => view && updateSchema(view, schema), [view, schema]);
  useEffect(() => view?.dispatch({ effects: setProblems.of(problems) }), [view, problems]);

  return (
    <Input.Wrapper
      label={label}
      description={description}
      labelElement="div"
      labelProps={{ id: `${id}-label`, onClick: () => view?.focus() }}
    >
      <Box ref={home} mt={4} />
      <div id={`${id}-problems`} aria-live="polite">
        <ProblemList problems={problems} />
      </div>
    </Input.Wrapper>
  );
}

const none: readonly DocumentProblem[] = [];

/** Marks a change that came from outside, of which the outside need not be told. */
const given = Annotation.define<boolean>();

function replaceText(view: EditorView, text: string): void {
  const { doc } = view.state;
  if (doc.toString() === text) return;
  view.dispatch({
    changes: { from: 0, to: doc.length, insert: text },
    annotations: [given.of(true), Transaction.addToHistory.of(false)],
  });
}

function ProblemList({ problems }: { problems: readonly DocumentProblem[] }) {
  if (problems.length === 0) return null;
  return (
    <Input.Error component="div" mt={4}>
      <List size="xs">
        {problems.map(({ message, line, column }) => (
          <List.Item key={`${line} ${column} ${message}`}>
            {line !== undefined && `Line ${line}, column ${column}: `}
            {message}
          </List.Item>
        ))}
      </List>
    </Input.Error>
  );
}

const frame = EditorView.theme({
  '&': {
    fontSize: 'var(--mantine-font-size-sm)',
    color: 'var(--mantine-color-text)',
    backgroundColor: 'var(--mantine-color-body)',
    border: '1px solid var(--mantine-color-default-border)',
    borderRadius: 'var(--mantine-radius-sm)',
    maxHeight: '60vh',
  },
  '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--mantine-color-text)', minHeight: '8rem' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-gutters': {
    color: 'var(--mantine-color-text)',
    backgroundColor: 'var(--mantine-color-default-hover)',
    borderRight: '1px solid var(--mantine-color-default-border)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--mantine-color-default-hover)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'light-dark(#c5d4ff, #364a7d)',
  },
  '.cm-tooltip, .cm-panels': {
    color: 'var(--mantine-color-text)',
    backgroundColor: 'var(--mantine-color-body)',
    border: '1px solid var(--mantine-color-default-border)',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--mantine-color-white)',
    backgroundColor: 'var(--mantine-primary-color-filled)',
  },
  '.cm-completionMatchedText': { fontWeight: 700 },
});

const highlight = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier], color: 'light-dark(#7a1fa2, #d7a6f5)' },
  { tag: tags.propertyName, color: 'light-dark(#1a4f9c, #9ac1ff)' },
  { tag: tags.attributeName, color: 'light-dark(#8a4b00, #f0b46c)' },
  { tag: [tags.variableName, tags.special(tags.name)], color: 'light-dark(#00657a, #6fd3e8)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'light-dark(#a11220, #ff9e94)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'light-dark(#0b6137, #7ddba6)' },
  { tag: tags.comment, color: 'light-dark(#595f66, #a5abb3)', fontStyle: 'italic' },
]);

/** The looks of an editor; they follow the page's colour scheme by themselves. */
const editorTheme: Extension = [frame, syntaxHighlighting(highlight)];
