import { useCallback, useEffect, useState } from 'react';
import { asApiError, type ApiError } from '../api/http';

export interface Resource<T> {
  value: T | null;
  problem: ApiError | null;
  reload: () => void;
}

/** Something fetched for as long as it is shown; `fetcher` must be stable. */
export const useResource = <T>(fetcher: () => Promise<T>): Resource<T> => {
  const [value, setValue] = useState<T | null>(null);
  const [problem, setProblem] = useState<ApiError | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    setProblem(null);
    fetcher().then(
      (found) => isCurrent && setValue(found),
      (caught: unknown) => isCurrent && setProblem(asApiError(caught)),
    );
    return () => {
      isCurrent = false;
    };
  }, [fetcher, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  return { value, problem, reload };
};
