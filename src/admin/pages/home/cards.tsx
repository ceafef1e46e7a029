/**
 * What waits for somebody, a card for each.
 */
import { Anchor, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Mark } from '../../parts/layout/mark.tsx';
import { Ago } from '../../parts/time/ago.tsx';
import classes from './cards.module.css';

/** What is so, since when, and the page on which one goes on. */
export interface Card {
  readonly mark: { readonly label: string; readonly color: string };
  readonly title: string;
  readonly cause: ReactNode;
  readonly at?: number;
  readonly action: string;
  readonly to: string;
}

/** The cards as a list. */
export function Cards({ cards }: { cards: readonly Card[] }) {
  return (
    <SimpleGrid component="ul" cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm" className={classes.cards}>
      {cards.map(({ mark, title, cause, at, action, to }, index) => (
        <li key={index} className={classes.card}>
          <Mark color={mark.color}>{mark.label}</Mark>
          <Anchor component={Link} to={to} c="inherit" size="sm" fw={500} dir="auto">
            {title}
          </Anchor>
          <Text size="xs" c="dimmed" lineClamp={3}>
            {cause}
          </Text>
          <Text size="xs" className={classes.foot}>
            <span>{at !== undefined && <Ago ms={at} />}</span>
            <Anchor component={Link} to={to} inherit underline="always">
              {action}
            </Anchor>
          </Text>
        </li>
      ))}
    </SimpleGrid>
  );
}
