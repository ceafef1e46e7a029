/**
 * Why the last action on a REST endpoint failed.
 */
import { Alert, List } from '@mantine/core';
import { ApiProblem } from '../../../api.ts';
import { FieldLink } from '../../../parts/forms/field-link.tsx';
import { SaveProblem } from '../../../parts/forms/save-problem.tsx';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import { isConflict } from '../rest-endpoint-data.ts';
import type { EndpointDraft } from './draft.ts';
import type { FieldGoal } from './field-goal.ts';
import { isChangedAt, placeOf } from './problem-place.ts';
import type { Action } from './try-action.ts';
import type { useActions } from './use-actions.ts';

const failed: Readonly<Record<Action, string>> = {
  save: 'Not saved',
  publish: 'Not published',
  unpublish: 'Not unpublished',
};

/**
 * The error of the last action: each problem by the name of its field, leading to it until the field is changed, or with a way to
 * reload when another user has changed the endpoint.
 */
export function ActionProblem({
  actions: { failure, reload },
  draft,
  onGo,
}: {
  actions: ReturnType<typeof useActions>;
  draft: EndpointDraft;
  onGo: (goal: FieldGoal) => void;
}) {
  if (!failure) return null;
  const { error, action, draft: refused } = failure;
  if (isConflict(error)) return <SaveProblem error={error} onReload={reload} />;
  const problems = error instanceof ApiProblem ? error.problems : [];
  const placed = problems.flatMap((problem) => {
    const place = placeOf(refused, problem.path);
    return place === undefined ? [] : [{ ...problem, place }];
  });
  if (placed.length === 0 || placed.length < problems.length) {
    const nameOf = (path: string) => placeOf(refused, path)?.label ?? path;
    return <ProblemAlert error={error} title={failed[action]} nameOf={nameOf} />;
  }
  const open = placed.filter(({ place }) => !isChangedAt(place, refused, draft));
  if (open.length === 0) return null;
  return (
    <Alert color="red" variant="light" title={failed[action]} role="alert">
      <List size="sm">
        {open.map(({ place, path, message, line, column }) => (
          <List.Item key={`${path} ${line} ${column} ${message}`}>
            <FieldLink
              label={place.label}
              onGo={() => onGo({ mapping: place.mapping, member: place.member })}
            />{' '}
            {message}
            {line !== undefined && ` (line ${line}, column ${column})`}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
