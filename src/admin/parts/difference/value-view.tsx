/**
 * Shows a value of an asset for reading: dates in local time, references by their titles, long texts and lists shortened.
 */
import { Box, Button, List, Text } from '@mantine/core';
import { useState } from 'react';
import type { Field } from '../../api.ts';
import { ReferenceTitle, TypeName } from '../assets/asset-name.tsx';
import { formatNumber } from '../data/number-words.ts';
import { isFileField, viewOf } from '../data/scalar-views.ts';
import { SmallPicture } from '../files/thumbnail.tsx';
import { Moment } from '../time/ago.tsx';
import { isObject } from './same-value.ts';

const maxLength = 2000;
const maxItems = 20;

/** The value of a field; a field that the type no longer has is undefined. */
export function ValueView({ field, value }: { field: Field | undefined; value: unknown }) {
  if (Array.isArray(value)) return <Items field={field} items={value} />;
  const view = field && viewOf(field.type);
  if (view === 'json') return <ShortText text={JSON.stringify(value, null, 2)} isCode />;
  if (view === 'date' && typeof value === 'number') return <Moment ms={value} />;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (field && isFileField(field) && isObject(value)) return <StoredFile value={value} />;
  if (isObject(value)) return '_ref' in value ? <Reference value={value} /> : <Members value={value} />;
  return <ShortText text={String(value)} />;
}

function Reference({ value }: { value: Readonly<Record<string, unknown>> }) {
  return (
    <Text size="sm" component="span" style={{ overflowWrap: 'anywhere' }}>
      <ReferenceTitle id={String(value._ref)} /> (<TypeName className={String(value._type)} />)
    </Text>
  );
}

function StoredFile({ value }: { value: Readonly<Record<string, unknown>> }) {
  const { hash, name, mediaType, alt } = value;
  const file = { hash: String(hash), name: String(name), mediaType: String(mediaType) };
  return (
    <Text size="sm" component="span">
      <SmallPicture file={file} />
      {file.name}
      {typeof alt === 'string' && `: ${alt}`}
    </Text>
  );
}

/** An embedded value. Its type may be unknown, so its members are shown by their values. */
function Members({ value }: { value: Readonly<Record<string, unknown>> }) {
  return (
    <List size="sm" listStyleType="none">
      {Object.entries(value).map(([name, member]) => (
        <List.Item key={name}>
          {name}: {isObject(member) && !('_ref' in member) && <br />}
          <ValueView field={undefined} value={member} />
        </List.Item>
      ))}
    </List>
  );
}

function Items({ field, items }: { field: Field | undefined; items: readonly unknown[] }) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? items : items.slice(0, maxItems);
  if (items.length === 0) return 'an empty list';
  return (
    <>
      <List size="sm" type="ordered">
        {shown.map((item, index) => (
          <List.Item key={index}>
            <ValueView field={field} value={item} />
          </List.Item>
        ))}
      </List>
      {shown.length < items.length && (
        <ShowAll onClick={() => setIsWhole(true)}>{`Show all ${formatNumber(items.length)} items`}</ShowAll>
      )}
    </>
  );
}

function ShortText({ text, isCode = false }: { text: string; isCode?: boolean }) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole || text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`;
  return (
    <>
      <Box
        component="span"
        fz="sm"
        dir={isCode ? 'ltr' : 'auto'}
        {...(isCode ? { ff: 'monospace' } : {})}
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {text === '' ? 'empty' : shown}
      </Box>
      {shown !== text && (
        <ShowAll
          onClick={() => setIsWhole(true)}
        >{`Show all ${formatNumber(text.length)} characters`}</ShowAll>
      )}
    </>
  );
}

function ShowAll({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <Button size="compact-xs" variant="default" mt={4} display="block" onClick={onClick}>
      {children}
    </Button>
  );
}
