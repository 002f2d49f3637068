import { useEffect } from 'react';
import { fetchAgents } from '../api/client';
import { asApiError, type ApiError } from '../api/http';
import type { Agent } from '../api/types';
import { Store, useStore } from '../lib/store';

interface AgentsState {
  agents: Agent[] | null;
  problem: ApiError | null;
}

const state = new Store<AgentsState>({ agents: null, problem: null });
let asked = false;

export const reloadAgents = async (): Promise<void> => {
  asked = true;
  try {
    state.set({ agents: await fetchAgents(), problem: null });
  } catch (problem) {
    asked = false;
    state.set({ agents: null, problem: asApiError(problem) });
  }
};

/** The agents of this server, asked for once. */
export const useAgents = (): AgentsState => {
  useEffect(() => {
    if (!asked) void reloadAgents();
  }, []);
  return useStore(state);
};
