"""The referee hosts games: it deals, asks, checks, times and keeps secrets; it outlives no match."""
