/**
 * The difference of two texts, by lines or by words.
 */
import { Box, Text, VisuallyHidden } from '@mantine/core';
import { type ComparedLine, compareLines } from './compare-lines.ts';
import type { TextPart } from './compare-text.ts';
import { changeColors, MarkedPart, MarkedWords } from './marked-change.tsx';

/** The lines that differ with some around them; `label` names the difference for screen readers. */
export function LineDifference({ before, after, label }: { before: string; after: string; label: string }) {
  return (
    <Box
      className="difference"
      role="region"
      aria-label={label}
      tabIndex={0}
      ff="monospace"
      fz="sm"
      bd="1px solid var(--mantine-color-default-border)"
      bdrs="sm"
      style={{ overflowX: 'auto' }}
    >
      {compareLines(before, after).map((stretch, index) =>
        'folded' in stretch ? (
          <Text key={index} size="xs" px="xs" py={2} bg="var(--mantine-color-default-hover)">
            {stretch.folded} equal lines
          </Text>
        ) : (
          <Lines key={index} lines={stretch.lines} />
        ),
      )}
    </Box>
  );
}

const looks = {
  same: { sign: ' ', words: '', background: undefined },
  added: { sign: '+', words: 'added: ', background: changeColors.added },
  removed: { sign: '−', words: 'removed: ', background: changeColors.removed },
} as const;

function Lines({ lines }: { lines: readonly ComparedLine[] }) {
  return lines.map(({ kind, text, parts }, index) => {
    const { sign, words, background } = looks[kind];
    return (
      <div key={index} style={{ background, whiteSpace: 'pre', width: 'max-content', minWidth: '100%' }}>
        <span aria-hidden style={{ padding: '0 0.5rem' }}>
          {sign}
        </span>
        {words !== '' && <VisuallyHidden component="span">{words}</VisuallyHidden>}
        {kind === 'same' || !parts
          ? text
          : parts.map((part, place) =>
              part.isChanged ? (
                <MarkedPart key={place} kind={kind}>
                  {part.text}
                </MarkedPart>
              ) : (
                <span key={place}>{part.text}</span>
              ),
            )}
      </div>
    );
  });
}

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
