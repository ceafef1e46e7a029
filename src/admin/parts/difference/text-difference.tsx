/**
 * Shows the difference of two texts, word by word.
 */
import { Box, Text } from '@mantine/core';
import type { TextPart } from './compare-text.ts';
import { MarkedWords } from './marked-change.tsx';

/** The words that both texts have, and those that were added and removed. */
export function TextDifference({ parts }: { parts: readonly TextPart[] }) {
  return (
    <Box
      fz="sm"
      mah={480}
      dir="auto"
      style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', overflowY: 'auto' }}
    >
      {parts.map(({ kind, text }, index) => {
        if (kind === 'gap') return <Text key={index} span size="sm">{` … `}</Text>;
        if (kind === 'same') return <span key={index}>{text}</span>;
        return (
          <MarkedWords key={index} kind={kind}>
            {text}
          </MarkedWords>
        );
      })}
    </Box>
  );
}
