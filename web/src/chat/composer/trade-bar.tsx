import type { TradeOverrides } from '../../api/types';
import { noOverrides } from '../../state/history';
import { TextButton } from '../../ui/button';
import { Segmented, type Choice } from '../../ui/segmented';

const modes: Choice<TradeOverrides['override_mode']>[] = [
  { value: '', label: 'Auto' },
  { value: 'goods', label: 'Goods' },
  { value: 'services', label: 'Services' },
];
const schemas: Choice<TradeOverrides['override_schema']>[] = [
  { value: '', label: 'Auto' },
  { value: 'hs92', label: 'HS92' },
  { value: 'hs12', label: 'HS12' },
  { value: 'sitc', label: 'SITC' },
];
const directions: Choice<TradeOverrides['override_direction']>[] = [
  { value: '', label: 'Auto' },
  { value: 'exports', label: 'Exports' },
  { value: 'imports', label: 'Imports' },
];
const systems: Choice<TradeOverrides['mode']>[] = [
  { value: '', label: 'Auto' },
  { value: 'graphql_sql', label: 'API + SQL' },
  { value: 'sql_only', label: 'SQL' },
  { value: 'graphql_only', label: 'API' },
];

interface Props {
  overrides: TradeOverrides;
  onChange: (overrides: TradeOverrides) => void;
}

/** Services have no product classification to choose. */
export const withMode = (overrides: TradeOverrides, mode: TradeOverrides['override_mode']): TradeOverrides => ({
  ...overrides,
  override_mode: mode,
  override_schema: mode === 'services' ? '' : overrides.override_schema,
});

const isChanged = (overrides: TradeOverrides): boolean => Object.values(overrides).some((value) => value !== '');

/** What questions about trade are held to; kept for the whole conversation. */
export const TradeBar = ({ overrides, onChange }: Props) => (
  <section aria-label="Trade settings" className="flex flex-wrap items-center gap-x-5 gap-y-2 pb-2">
    <Segmented legend="Trade in" choices={modes} value={overrides.override_mode} onChange={(mode) => onChange(withMode(overrides, mode))} />
    {overrides.override_mode !== 'services' && (
      <Segmented
        legend="Classified by"
        choices={schemas}
        value={overrides.override_schema}
        onChange={(override_schema) => onChange({ ...overrides, override_schema })}
      />
    )}
    <Segmented
      legend="Direction"
      choices={directions}
      value={overrides.override_direction}
      onChange={(override_direction) => onChange({ ...overrides, override_direction })}
    />
    <Segmented legend="Looked up by" choices={systems} value={overrides.mode} onChange={(mode) => onChange({ ...overrides, mode })} />
    {isChanged(overrides) && <TextButton onClick={() => onChange(noOverrides)}>Reset</TextButton>}
  </section>
);
