/**
 * Why the last action on a REST endpoint failed.
 */
import { Alert, List } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ApiProblem, admin, answer } from '../../../api.ts';
import { SavedBy } from '../../../parts/changes/last-save.tsx';
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

/** Who saved the endpoint last. Nothing that the page shows is replaced by what is read here. */
function LastEndpointSave({ id }: { id: string }) {
  const queryFn = () => answer(admin.getRestEndpoint({ path: { id } }));
  const { data } = useQuery({ queryKey: ['rest-endpoints', id, 'last save'], queryFn, gcTime: 0 });
  return data ? <SavedBy name={data.savedByName ?? data.savedBy} at={data.savedAt} /> : null;
}

/**
 * The error of the last action: each problem by the name of its field, leading to it until the field is changed, or with a way to
 * reload when another user has changed the endpoint.
 */
export function ActionProblem({
  id,
  actions: { failure, reload },
  draft,
  onGo,
}: {
  /** `new` until the endpoint is stored. */
  id: string;
  actions: ReturnType<typeof useActions>;
  draft: EndpointDraft;
  onGo: (goal: FieldGoal) => void;
}) {
  if (!failure) return null;
  const { error, action, draft: refused } = failure;
  if (isConflict(error))
    return <SaveProblem error={error} lastSave={<LastEndpointSave id={id} />} onReload={reload} />;
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
