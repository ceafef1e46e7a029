/**
 * The names of content types for people, in place of class names, which stand in tooltips.
 */
import type { ComboboxItem, ComboboxParsedItem, OptionsFilter } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { wordsOfName } from '../../../text/words-of-name.ts';
import type { TypeSummary } from '../../api.ts';
import { nameOfType } from './field-label.ts';
import { typeNames } from './lists.ts';

/** Returns what finds the name of a class; of one that is not known, or not yet, it is the last part in words. */
export function useTypeNames(): (className: string) => string {
  const items = useQuery(typeNames).data?.items ?? [];
  return (className) => {
    const type = items.find((item) => item.class === className);
    return type ? nameOfType(type) : wordsOfName(className);
  };
}

/** Types to choose from, by their names; where several have the same name, with the class. */
export function toTypeChoices(
  types: readonly Pick<TypeSummary, 'class' | 'name' | 'label'>[],
): ComboboxItem[] {
  const counts = Map.groupBy(types, nameOfType);
  return types.map((type) => {
    const name = nameOfType(type);
    return {
      value: type.class,
      label: (counts.get(name)?.length ?? 0) > 1 ? `${name} (${type.class})` : name,
    };
  });
}

/** Finds choices of types by their names and classes. */
export const findTypeChoices: OptionsFilter = ({ options, search }) => {
  const text = search.trim().toLowerCase();
  const isFound = ({ value, label }: ComboboxItem) =>
    [value, label].some((word) => word.toLowerCase().includes(text));
  return options.flatMap((option): ComboboxParsedItem[] => {
    if (!('group' in option)) return isFound(option) ? [option] : [];
    const items = option.items.filter(isFound);
    return items.length > 0 ? [{ ...option, items }] : [];
  });
};
