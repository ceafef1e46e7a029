/**
 * Judges what was typed by the rules of the type, which read several fields.
 */
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { admin, answer, type ContentType, type Place } from '../../../api.ts';
import type { useAssetDraft } from './use-asset-draft.ts';

/** For how long nothing is typed before the server is asked. */
const restMs = 400;

/** The fields with the messages of the rules that the draft breaks; absent where it changes no field of a rule, and until they are known. */
export function useBrokenRules(
  { class: type, checks = [] }: ContentType,
  { stored, changed, toBody }: ReturnType<typeof useAssetDraft>,
): readonly Place[] | undefined {
  const names = new Set(checks.flatMap(({ fields }) => fields));
  const isJudged = [...changed].some((name) => names.has(name));
  const values = Object.entries(isJudged ? { ...stored?.data, ...toBody() } : {});
  const [asked] = useDebouncedValue(JSON.stringify(values.filter(([name]) => names.has(name))), restMs);
  const { data } = useQuery({
    queryKey: ['contents', 'rules', type, asked],
    queryFn: () =>
      answer(admin.checkContentRules({ body: { ...Object.fromEntries(JSON.parse(asked)), _type: type } })),
    enabled: isJudged && asked !== '[]',
    placeholderData: (former) => former,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return isJudged ? data?.items : undefined;
}
