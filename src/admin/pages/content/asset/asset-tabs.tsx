/**
 * The tabs of an asset's page: its form and its history. The address holds which one is open.
 */
import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';

/** Both tabs. The form stays as it is while the history is open. */
export function AssetTabs({ form, history }: { form: ReactNode; history: ReactNode }) {
  const [parameters, setParameters] = useSearchParams();
  const tab = parameters.get('tab') === 'history' ? 'history' : 'edit';
  return (
    <Tabs
      keepMounted={false}
      value={tab}
      onChange={(value) =>
        setParameters((before) => {
          before.delete('tab');
          if (value === 'history') before.set('tab', 'history');
          return before;
        })
      }
    >
      <Tabs.List mb="md">
        <Tabs.Tab value="edit">Edit</Tabs.Tab>
        <Tabs.Tab value="history">History</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="edit" keepMounted>
        {form}
      </Tabs.Panel>
      <Tabs.Panel value="history">{history}</Tabs.Panel>
    </Tabs>
  );
}
