/**
 * How the UI looks in this browser: its colours, and the language of dates.
 */
import { Group, NativeSelect, Text, useMantineColorScheme } from '@mantine/core';
import { chooseDateLanguage, dateLanguage, listDateLanguages } from '../../parts/time/date-language.ts';
import { Moment } from '../../parts/time/moment.tsx';
import { useNow } from '../../parts/time/use-now.ts';

const schemes = [
  { value: 'auto', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

export function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Group align="start">
      <NativeSelect
        label="Colours"
        value={colorScheme}
        data={[...schemes]}
        onChange={({ currentTarget: { value } }) => {
          const scheme = schemes.find((each) => each.value === value);
          if (scheme) setColorScheme(scheme.value);
        }}
      />
      <NativeSelect
        label="Language of dates"
        description={
          <Text span inherit>
            <Moment ms={useNow()} />
          </Text>
        }
        value={dateLanguage() ?? ''}
        data={[{ value: '', label: 'That of the browser' }, ...listDateLanguages()]}
        onChange={({ currentTarget: { value } }) => {
          chooseDateLanguage(value === '' ? undefined : value);
          window.location.reload();
        }}
      />
    </Group>
  );
}
