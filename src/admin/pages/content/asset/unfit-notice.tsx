/**
 * Says which fields of an asset do not fit its type, and leads from one asset to repair to the next.
 */
import { Alert, Anchor, Button, Code, Group, List, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearchParams } from 'react-router';
import type { Asset, ContentType, Place } from '../../../api.ts';
import { UnknownFieldHint } from '../../../parts/assets/asset-name.tsx';
import { sayPattern } from '../../../parts/data/describe-pattern.ts';
import { labelOfPath } from '../../../parts/data/field-label.ts';
import { formatNumber } from '../../../parts/data/number-words.ts';
import {
  findUnfit,
  isRepair,
  isUnknownField,
  pathOfRepair,
  pathOfUnfit,
  ruleIn,
} from '../../../parts/data/unfit.ts';
import { useAction } from '../../../parts/forms/busy-button.tsx';
import { FieldLink } from '../../../parts/forms/field-link.tsx';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import { toInputPath } from '../draft/find-messages.ts';
import type { UnfitFieldsState } from '../draft/use-asset-draft.ts';

/** The notice; nothing for an asset that fits, unless the editor goes through the assets to repair. */
export function UnfitNotice({
  asset,
  type,
  unfit,
  goTo,
}: {
  asset: Asset;
  type: ContentType;
  unfit: UnfitFieldsState;
  goTo: (path: string) => void;
}) {
  const [parameters] = useSearchParams();
  const { items, error, refetch } = unfit;
  const repairs = isRepair(parameters);
  if (error) {
    return (
      <ProblemAlert
        error={error}
        title="Could not check whether this asset fits its type"
        onRetry={refetch}
      />
    );
  }
  if (!items || (items.length === 0 && !repairs)) return null;
  return (
    <Alert color={items.length > 0 ? 'orange' : 'green'} variant="light" title={titleFor(items.length)}>
      {items.length > 0 && (
        <Text size="sm" mb={4}>
          The content type has changed since these values were saved. They stay until someone changes them.
        </Text>
      )}
      <List size="sm">
        {items.map((place) => (
          <List.Item key={`${place.path} ${place.message}`}>
            <UnfitField type={type} place={place} goTo={goTo} />
          </List.Item>
        ))}
      </List>
      {repairs && <NextToRepair asset={asset} parameters={parameters} />}
    </Alert>
  );
}

/** What is wrong with a field, leading to its input. A field that the type does not have has none. */
function UnfitField({
  type,
  place: { path, message },
  goTo,
}: {
  type: ContentType;
  place: Place;
  goTo: (path: string) => void;
}) {
  if (isUnknownField({ message })) {
    return (
      <>
        <Code>{path}</Code> {message}
        <UnknownFieldHint />
      </>
    );
  }
  return (
    <>
      <FieldLink label={labelOfPath(type, path)} onGo={() => goTo(toInputPath(path))} /> {sayPattern(message)}
    </>
  );
}

function titleFor(count: number): string {
  if (count === 0) return 'This asset fits its type';
  return count === 1 ? '1 field does not fit the type' : `${formatNumber(count)} fields do not fit the type`;
}

function NextToRepair({ asset, parameters }: { asset: Asset; parameters: URLSearchParams }) {
  const { _id, _type: type } = asset;
  const rule = ruleIn(parameters);
  const navigate = useNavigate();
  const client = useQueryClient();
  const search = useAction(() => findUnfit({ type, rule, after: _id, limit: 1 }), {
    onSuccess: ({ items: [next] }) => {
      void client.invalidateQueries({ queryKey: ['contents', 'unfit'] });
      if (next) void navigate(pathOfRepair(next, rule));
    },
  });
  const isLast = search.data !== undefined && search.data.items.length === 0;
  return (
    <>
      <Group gap="sm" mt="sm">
        <Button variant="default" size="xs" loading={search.isPending} onClick={() => search.run()}>
          Next asset to repair
        </Button>
        <Anchor component={Link} to={pathOfUnfit(type, rule)} size="sm" c="inherit" underline="always">
          All assets to repair
        </Anchor>
      </Group>
      <Text size="sm" role="status" mt={isLast ? 'xs' : 0}>
        {isLast && 'This was the last one.'}
      </Text>
      <ProblemAlert error={search.error} title="The next asset could not be found" />
    </>
  );
}
