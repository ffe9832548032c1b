"""The Redis side: schedules, plays blocks on referees, records, rates, answers questions."""
