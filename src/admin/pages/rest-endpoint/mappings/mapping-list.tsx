/**
 * The mappings of a REST endpoint as a list of collapsible panels.
 */
import { Accordion, Button, Code, Group, Text } from '@mantine/core';
import { use, useEffect, useRef, useState } from 'react';
import { countOf } from '../../../parts/data/number-words.ts';
import { useParameters } from '../../../parts/data/use-parameters.ts';
import { Mark } from '../../../parts/layout/mark.tsx';
import { EmptyState, Section } from '../../../parts/layout/page.tsx';
import {
  addMapping,
  changeMapping,
  defaultPath,
  type EndpointDraft,
  type MappingDraft,
  prefixOf,
  removeMapping,
} from '../editor/draft.ts';
import { GoalContext } from '../editor/field-goal.ts';
import type { Findings, MappingFindings } from '../editor/findings.ts';
import { MappingPanel } from './mapping-panel.tsx';

/** The list; a mapping that is added is open. */
export function MappingList({
  draft,
  onChange,
  onRemoving,
  findings,
}: {
  draft: EndpointDraft;
  onChange: (draft: EndpointDraft) => void;
  /** Called before the mapping of that name is removed. */
  onRemoving: (name: string) => void;
  findings: Findings;
}) {
  const [toggled, setToggled] = useState<readonly string[]>([]);
  const [parameters, changeParameters] = useParameters();
  const named = JSON.stringify(parameters.getAll('mapping'));
  const [followed, setFollowed] = useState('[]');
  const [chosen, setChosen] = useState('[]');
  const list = useRef<HTMLDivElement>(null);
  const isToggled = useRef(false);
  const last = draft.mappings.at(-1);
  const added = last?.startsOpen ? last.key : undefined;
  useEffect(() => {
    if (added !== undefined) list.current?.lastElementChild?.scrollIntoView();
  }, [added]);
  const { goal } = use(GoalContext);
  const open = flip(draft.mappings, toggled);
  // The address names those that are open, as after a click on a found mapping. It follows a click on the list only after a moment.
  if (named !== followed) setFollowed(named);
  if (named !== followed && named !== chosen) {
    const names = parameters.getAll('mapping');
    const wanted = draft.mappings.filter(({ name }) => names.includes(name)).map(({ key }) => String(key));
    setToggled(flip(draft.mappings, [...new Set([...open, ...wanted])]));
  }
  useEffect(() => {
    const [name] = parameters.getAll('mapping');
    if (name !== undefined && !isToggled.current)
      list.current?.querySelector(`[data-mapping="${CSS.escape(name)}"]`)?.scrollIntoView();
    isToggled.current = false;
  }, [named]);
  const toggle = (keys: readonly string[]) => {
    setToggled(flip(draft.mappings, keys));
    const names = draft.mappings.filter(({ key, name }) => keys.includes(String(key)) && name !== '');
    isToggled.current = true;
    setChosen(JSON.stringify(names.map(({ name }) => name)));
    changeParameters(
      (before) => {
        before.delete('mapping');
        for (const { name } of names) before.append('mapping', name);
        return before;
      },
      { replace: true },
    );
  };
  const target = draft.mappings.find(({ key }) => key === goal?.mapping);
  if (target && !open.includes(String(target.key))) {
    setToggled(flip(draft.mappings, [...open, String(target.key)]));
  }
  return (
    <Section
      title="Mappings"
      actions={
        <Button variant="default" size="xs" onClick={() => onChange(addMapping(draft))}>
          Add mapping
        </Button>
      }
    >
      {draft.mappings.length === 0 && (
        <EmptyState title="No mappings yet">
          A mapping serves one GraphQL operation at a path. Add one, or make it in the explorer.
        </EmptyState>
      )}
      <Accordion
        ref={list}
        multiple
        variant="separated"
        order={3}
        value={open}
        onChange={toggle}
        keepMounted={false}
        // At once, so that a field in a panel that opens can take the focus.
        transitionDuration={0}
      >
        {draft.mappings.map((mapping) => (
          <Accordion.Item
            key={mapping.key}
            value={String(mapping.key)}
            data-mapping={mapping.name}
            style={{ scrollMarginTop: 72 }}
          >
            <Accordion.Control>
              <Outline
                mapping={mapping}
                prefix={prefixOf(draft)}
                findings={findings.mappings.get(mapping.key)}
              />
            </Accordion.Control>
            <Accordion.Panel>
              <MappingPanel
                mapping={mapping}
                source={draft.source}
                prefix={prefixOf(draft)}
                findings={findings.mappings.get(mapping.key)}
                onChange={(changes) => onChange(changeMapping(draft, mapping.key, changes))}
                onRemove={() => {
                  onRemoving(mapping.name || 'a mapping');
                  onChange(removeMapping(draft, mapping.key));
                }}
              />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Section>
  );
}

/** From those toggled to those open, and back: the mappings that are in `keys` or start open, but not both. */
function flip(mappings: readonly MappingDraft[], keys: readonly string[]): string[] {
  return mappings
    .filter(({ key, startsOpen }) => keys.includes(String(key)) !== startsOpen)
    .map(({ key }) => String(key));
}

/** A mapping on one line. */
function Outline({
  mapping,
  prefix,
  findings,
}: {
  mapping: MappingDraft;
  prefix: string;
  findings: MappingFindings | undefined;
}) {
  const methods = mapping.methods ?? findings?.checked.methods ?? [];
  const count = findings?.problems.length ?? 0;
  return (
    <Group gap="sm">
      <Text fw={600}>{mapping.name || 'Unnamed'}</Text>
      <Code style={{ overflowWrap: 'anywhere' }}>
        {methods.join(', ')} {prefix + (mapping.path ?? defaultPath(mapping.name))}
      </Code>
      {count > 0 && <Mark color="red">{countOf(count, 'problem')}</Mark>}
    </Group>
  );
}
